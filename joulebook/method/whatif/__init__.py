"""Inputs varied, one at a time and together: what moves a number, and what would turn a conclusion."""
