package org.hbase.async;

/** Exceptions that only asynchbase makes. */
public final class HBaseFailures {
  private HBaseFailures() {}

  /** What a connection says that waited longer than hbase.rpc.timeout. */
  public static HBaseException timedOut() {
    return new RpcTimedOutException("RPC ID [7] timed out", null);
  }

  /** A table that is not in hbase:meta. */
  public static HBaseException noTable() {
    return new TableNotFoundException(new byte[] {'t'});
  }

  /** A hole in hbase:meta. */
  public static HBaseException brokenMeta() {
    return new BrokenMetaException("no region");
  }

  /** A response that is none. */
  public static HBaseException noResponse() {
    return new InvalidResponseException("none", (Object) null);
  }

  /** A table without the family. */
  public static HBaseException noFamily() {
    return new NoSuchColumnFamilyException("t", null);
  }

  /** A region server of another version. */
  public static HBaseException otherVersion() {
    return new VersionMismatchException("other", null);
  }

  /** Any exception of a region server that asynchbase has no class for. */
  public static HBaseException remote(String type, String words) {
    return new RemoteException(type, type + ": " + words + "\n\tat a.B.c(B.java:1)");
  }
}
