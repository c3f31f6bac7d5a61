"""What jobs return, and how it is written: tables, books, graphs."""
