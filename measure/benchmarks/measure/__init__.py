"""Implements measure/benchmarks/run, with a module for each measurement and each output format."""
