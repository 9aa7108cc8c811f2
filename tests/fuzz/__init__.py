"""What takes longer than tests may: ``make fuzz``."""
