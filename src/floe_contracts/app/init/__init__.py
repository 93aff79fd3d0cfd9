"""`floe init`: a first contract from data that exists, and the files beside it."""
