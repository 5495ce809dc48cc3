package io.tsdbsuite.job.secret;

import io.tsdbsuite.hbase.StorageFailures;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Secrets in local files, UTF-8; the line end at the end of a file is not part of the secret. */
final class FileSecrets implements SecretSource {
  @Override
  public String scheme() {
    return "file";
  }

  @Override
  public String read(String name) throws SecretException {
    String text;
    try {
      Path file = Path.of(name);
      if (!file.isAbsolute()) {
        throw SecretException.configuration("must be an absolute path");
      }
      text = Files.readString(file);
    } catch (InvalidPathException e) {
      throw SecretException.configuration("must be an absolute path");
    } catch (NoSuchFileException e) {
      throw SecretException.configuration("there is no such file");
    } catch (AccessDeniedException e) {
      throw SecretException.configuration("this user may not read the file");
    } catch (CharacterCodingException e) {
      throw SecretException.configuration("the file is not UTF-8");
    } catch (IOException e) {
      throw SecretException.configuration("the file cannot be read: " + StorageFailures.reason(e));
    }
    int end = text.length();
    if (end > 0 && text.charAt(end - 1) == '\n') {
      end--;
      if (end > 0 && text.charAt(end - 1) == '\r') {
        end--;
      }
    }
    return text.substring(0, end);
  }
}
