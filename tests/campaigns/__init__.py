"""Campaigns over many made-up clients: do the intervals hold what they say, and does a unit never pass as another?"""
