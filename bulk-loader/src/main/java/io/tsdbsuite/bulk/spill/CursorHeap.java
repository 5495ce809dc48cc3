package io.tsdbsuite.bulk.spill;

/** Cursors, the one with the first key at the top. */
final class CursorHeap {
  private final RunCursor[] heap;
  private int size;

  CursorHeap(int room) {
    heap = new RunCursor[room];
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** The first one, which stays. */
  RunCursor top() {
    return heap[0];
  }

  void push(RunCursor cursor) {
    int at = size++;
    while (at > 0) {
      int parent = (at - 1) >>> 1;
      if (!cursor.isBefore(heap[parent])) {
        break;
      }
      heap[at] = heap[parent];
      at = parent;
    }
    heap[at] = cursor;
  }

  /** Takes the first one. */
  RunCursor pop() {
    RunCursor top = heap[0];
    RunCursor moved = heap[--size];
    heap[size] = null;
    if (size > 0) {
      sink(moved);
    }
    return top;
  }

  private void sink(RunCursor cursor) {
    int at = 0;
    int half = size >>> 1;
    while (at < half) {
      int child = 2 * at + 1;
      if (child + 1 < size && heap[child + 1].isBefore(heap[child])) {
        child++;
      }
      if (!heap[child].isBefore(cursor)) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = cursor;
  }
}
