package dev.percolate.middleware.compression;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The media types that are worth compressing. */
public final class CompressibleTypes {

  private static final Set<String> NAMES =
      Set.of(
          """
          application/dart application/ecmascript application/javascript application/json
          application/octet-stream application/postscript application/raml+yaml
          application/rtf application/tar application/toml application/vnd.dart
          application/vnd.ms-fontobject application/vnd.ms-opentype application/wasm
          application/x-httpd-php application/x-javascript application/x-ns-proxy-autoconfig
          application/x-sh application/x-tar application/x-virtualbox-hdd
          application/x-virtualbox-ova application/x-virtualbox-ovf
          application/x-virtualbox-vbox application/x-virtualbox-vdi
          application/x-virtualbox-vhd application/x-virtualbox-vmdk
          application/x-www-form-urlencoded application/xml application/xml-dtd font/otf
          font/ttf image/bmp image/vnd.adobe.photoshop image/vnd.microsoft.icon
          image/vnd.ms-dds image/x-icon image/x-ms-bmp message/rfc822 model/gltf-binary
          x-shader/x-fragment x-shader/x-vertex
          """
              .strip()
              .split("\\s+", -1));

  private CompressibleTypes() {}

  public static boolean contain(@Nullable String contentType) {
    if (contentType == null) {
      return false;
    }
    int end = contentType.indexOf(';');
    String type =
        (end < 0 ? contentType : contentType.substring(0, end)).trim().toLowerCase(Locale.ROOT);
    boolean text = type.startsWith("text/") && type.length() > "text/".length();
    boolean suffix = type.endsWith("+json") || type.endsWith("+text") || type.endsWith("+xml");
    return text || (suffix && type.indexOf('/') >= 0) || NAMES.contains(type);
  }
}
