"""Tests of all JSON calls of all features."""
