"""The application: command line, progress, reports. No algorithm lives here."""
