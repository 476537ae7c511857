"""What measure/benchmarks/run does: one module for each thing it measures, prints or draws."""
