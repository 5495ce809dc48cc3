package io.tsdbsuite.ingest.mask;

import java.util.ArrayList;
import java.util.List;

/** The cells that a set of masks has, as text. */
public final class MaskRows {
  private MaskRows() {}

  /** Row key and column of each. */
  public static List<String> of(MaskSet masks) {
    List<String> cells = new ArrayList<>();
    masks.rows().forEach((row, columns) -> columns.forEach(each -> cells.add(row + " " + each)));
    return cells;
  }
}
