"""Measures the costs and response times of music players from outside, in the same way for each."""
