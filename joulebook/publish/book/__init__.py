"""The book: executed notebooks and the prose pages as a static site that needs no network."""

from joulebook.publish.book.build import build_book

__all__ = ["build_book"]
