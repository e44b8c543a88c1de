"""What all tests rely on."""

import signal

# Shells start background jobs with Ctrl-C ignored, and every process hands that on to those it
# starts: tests that press Ctrl-C would wait for an end that never comes.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
