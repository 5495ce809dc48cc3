package io.tsdbsuite.bench.stock;

/** Holds consumers back until the measurement starts. Thread-safe. */
final class Gate {
  private boolean open;

  synchronized void set(boolean nowOpen) {
    open = nowOpen;
    notifyAll();
  }

  synchronized void pass() throws InterruptedException {
    while (!open) {
      wait();
    }
  }
}
