"""What the goals share: the server under trial, the probe, crowds of clients."""
