//! Reference codecs, generators and harnesses for the tests of utfkit.
