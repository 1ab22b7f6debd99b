//! One test for each invariant: a document that keeps them all, with one thing broken.
