package io.tsdbsuite.testkit.server;

import java.io.File;
import org.apache.kerby.KOptions;
import org.apache.kerby.kerberos.kerb.client.KrbClient;
import org.apache.kerby.kerberos.kerb.client.KrbOption;
import org.apache.kerby.kerberos.kerb.type.ticket.TgtTicket;

/**
 * What {@code kinit -k -t KEYTAB PRINCIPAL -c CACHE -l SECONDS} does: gets a ticket for a principal
 * and stores it in a ticket cache.
 *
 * <p>Arguments: the directory of krb5.conf, the principal, the keytab, the cache, and the lifetime
 * in seconds; without it that of krb5.conf. Prints {@code END=} and the end of the ticket, in
 * milliseconds of the epoch.
 */
public final class TicketCache {
  /** Before the end of the ticket in the output. */
  public static final String END = "END=";

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
    KOptions request = new KOptions();
    request.add(KrbOption.CLIENT_PRINCIPAL, args[1]);
    request.add(KrbOption.USE_KEYTAB, true);
    request.add(KrbOption.KEYTAB_FILE, new File(args[2]));
    if (args.length > 4) {
      request.add(KrbOption.LIFE_TIME, Integer.valueOf(args[4]));
    }
    TgtTicket ticket = client.requestTgt(request);
    client.storeTicket(ticket, new File(args[3]));
    System.out.println(END + ticket.getEncKdcRepPart().getEndTime().getTime());
  }
}
