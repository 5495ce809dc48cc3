package io.tsdbsuite.hbase.snapshot;

import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.util.Pair;

/**
 * The table, region and family in whose directory an HFile is, from its name in a manifest:
 *
 * <pre>
 * name in the manifest              the HFile is of
 * &lt;hfile&gt;                           this table and region
 * &lt;table&gt;=&lt;region&gt;-&lt;hfile&gt;          the table and region in the name (HFileLink of a clone)
 * &lt;hfile&gt;.&lt;parent&gt;                  this table, region parent (reference after a split)
 * &lt;table&gt;=&lt;region&gt;-&lt;hfile&gt;.&lt;parent&gt; the table and region in the name (reference to a link)
 * </pre>
 *
 * @param table the table
 * @param region encoded name of the region
 * @param family the column family
 * @param file name of the file
 */
public record StoreFilePath(TableName table, String region, String family, String file) {
  /**
   * Finds the HFile of a name.
   *
   * @param table table of the region that has the name in the manifest
   * @param region encoded name of that region
   * @param family column family of the name
   * @throws IllegalArgumentException when the name has none of the forms
   */
  public static StoreFilePath of(TableName table, String region, String family, String name) {
    String owner = region;
    String file = name;
    if (StoreFileInfo.isReference(name)) {
      Pair<String, String> referred = StoreFileInfo.getReferredToRegionAndFile(name);
      owner = referred.getFirst();
      file = referred.getSecond();
    }
    if (HFileLink.isHFileLink(file)) {
      return new StoreFilePath(
          HFileLink.getReferencedTableName(file),
          HFileLink.getReferencedRegionName(file),
          family,
          HFileLink.getReferencedHFileName(file));
    }
    if (!StoreFileInfo.isHFile(file)) {
      throw new IllegalArgumentException(
          "'" + name + "' is neither an HFile nor a link nor a reference");
    }
    return new StoreFilePath(table, owner, family, file);
  }

  /** The directory below {@code data/} or {@code archive/data/}: {@code ns/table/region/family}. */
  public String directory() {
    return table.getNamespaceAsString()
        + "/"
        + table.getQualifierAsString()
        + "/"
        + region
        + "/"
        + family;
  }
}
