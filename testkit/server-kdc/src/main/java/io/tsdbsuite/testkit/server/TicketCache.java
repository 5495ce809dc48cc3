package io.tsdbsuite.testkit.server;

import java.io.File;
import org.apache.kerby.kerberos.kerb.client.KrbClient;
import org.apache.kerby.kerberos.kerb.type.ticket.TgtTicket;

/**
 * What {@code kinit -k -t KEYTAB PRINCIPAL -c CACHE} does: gets a ticket for a principal and stores
 * it in a ticket cache.
 *
 * <p>Arguments: the directory of krb5.conf, the principal, the keytab, the cache.
 */
public final class TicketCache {
  private TicketCache() {}

  /**
   * Writes the cache.
   *
   * @param args see the class comment
   * @throws Exception when the KDC refuses, or a file cannot be read or written
   */
  public static void main(String[] args) throws Exception {
    KrbClient client = new KrbClient(new File(args[0]));
    client.init();
    TgtTicket ticket = client.requestTgt(args[1], new File(args[2]));
    client.storeTicket(ticket, new File(args[3]));
  }
}
