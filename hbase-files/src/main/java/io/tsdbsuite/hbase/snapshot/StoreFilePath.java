package io.tsdbsuite.hbase.snapshot;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;

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
  private static final Pattern MOB_FILE = Pattern.compile("[0-9a-f]+_[0-9a-f]+");
  private static final Pattern PARENT = Pattern.compile("[0-9a-f]{32}");
  private static final String BULK_LOADED = "_SeqId_";

  /** Whether a name is that of an HFile itself, also of one with MOB values. */
  public static boolean isHFile(String name) {
    return StoreFileInfo.isHFile(name) || MOB_FILE.matcher(name).matches();
  }

  /**
   * Whether a name in a manifest is that of a reference after a split: the name of an HFile or of a
   * link, a dot, and the encoded name of the parent region. HBase asks whether it is a link first:
   * a link to table {@code cafe.tsdb} begins as a reference to an HFile {@code cafe} does.
   */
  public static boolean isReference(String name) {
    int dot = name.lastIndexOf('.');
    if (dot < 0 || !PARENT.matcher(name.substring(dot + 1)).matches()) {
      return false;
    }
    String referred = name.substring(0, dot);
    return StoreFileInfo.isHFile(referred) || HFileLink.isHFileLink(referred);
  }

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
    if (isReference(name)) {
      int dot = name.lastIndexOf('.');
      owner = name.substring(dot + 1);
      file = name.substring(0, dot);
    }
    if (HFileLink.isHFileLink(file)) {
      return new StoreFilePath(
          HFileLink.getReferencedTableName(file),
          HFileLink.getReferencedRegionName(file),
          family,
          HFileLink.getReferencedHFileName(file));
    }
    if (!isHFile(file)) {
      throw new IllegalArgumentException(
          "'" + name + "' is neither an HFile nor a link nor a reference");
    }
    return new StoreFilePath(table, owner, family, file);
  }

  /**
   * The name of the HFile in a name of a manifest. It never changes, whatever refers to it. Unlike
   * {@link #of} it takes each name to have one of the forms.
   */
  public static String hfile(String name) {
    // Names of tables can have dots and hyphens, names of regions and HFiles cannot.
    String file = name;
    int table = name.lastIndexOf('=');
    if (table >= 0) {
      file = name.substring(name.indexOf('-', table) + 1);
    }
    int parent = file.indexOf('.');
    return parent < 0 ? file : file.substring(0, parent);
  }

  /** The names of the HFiles of all regions of a snapshot, ascending. */
  public static Set<String> hfiles(Snapshot snapshot) {
    Set<String> names = new TreeSet<>();
    for (SnapshotRegion region : snapshot.regions()) {
      region.storeFiles().forEach(file -> names.add(hfile(file.getName())));
    }
    return names;
  }

  /** Whether the name of an HFile is that of a bulk-loaded one. */
  public static boolean isBulkLoaded(String hfile) {
    return hfile.contains(BULK_LOADED);
  }

  /** The directory below {@code data/} or {@code archive/data/}: {@code ns/table/region/family}. */
  public String directory() {
    // For each HFile of each manifest: ten times as fast as a format.
    return table.getNamespaceAsString()
        + "/"
        + table.getQualifierAsString()
        + "/"
        + region
        + "/"
        + family;
  }
}
