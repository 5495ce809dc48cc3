package io.tsdbsuite.testkit.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class WorkCounterTest {
  private static String problem(Class<? extends Consumer<byte[]>> work) {
    return new WorkCounter(work, WorkCounterTest.class.getName()).problem(byte[]::new);
  }

  static final class EachByte implements Consumer<byte[]> {
    int sum;

    @Override
    public void accept(byte[] input) {
      for (byte b : input) {
        sum += b;
      }
    }
  }

  static final class EachByteWithAll implements Consumer<byte[]> {
    int sum;

    @Override
    public void accept(byte[] input) {
      for (byte b : input) {
        for (int i = 0; i < input.length; i += 64) {
          sum += b * input[i];
        }
      }
    }
  }

  static final class Search implements Consumer<byte[]> {
    @Override
    public void accept(byte[] input) {
      List<Integer> found = new ArrayList<>();
      for (int i = 0; i < input.length; i += 8) {
        if (!found.contains(i)) {
          found.add(i);
        }
      }
    }
  }

  static final class Copy implements Consumer<byte[]> {
    private final byte[] to = new byte[1 << 20];

    @Override
    public void accept(byte[] input) {
      for (int i = 0; i < input.length; i += 64) {
        System.arraycopy(input, 0, to, 0, i);
      }
    }
  }

  static final class Allocation implements Consumer<byte[]> {
    byte[] last = {};

    @Override
    public void accept(byte[] input) {
      for (int i = 0; i < input.length; i += 64) {
        last = input.clone();
      }
    }
  }

  @Test
  void quadraticWorkIsAProblem() {
    assertThat(problem(EachByte.class)).isEmpty();
    for (Class<? extends Consumer<byte[]>> quadratic :
        List.of(EachByteWithAll.class, Search.class, Copy.class, Allocation.class)) {
      assertThat(problem(quadratic)).as(quadratic.getName()).contains("steps by byte of 32768");
    }
  }
}
