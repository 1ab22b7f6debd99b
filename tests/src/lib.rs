//! Whole-pipeline cases live in `tests/`; this library is empty on purpose.
