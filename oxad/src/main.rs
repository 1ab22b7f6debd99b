//! `oxad`: the driver.
fn main() {}
