"""The book: executed notebooks and the prose pages as a static site that needs no network."""

from joulebook.publish.book.build import build_book
from joulebook.publish.book.page import Page

__all__ = ["Page", "build_book"]
