package example;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A client of the API that needs only the JDK. */
final class Api {
  private final String address;
  private final String token;
  private final HttpClient client;

  Api(String address, String token, String caPem) throws GeneralSecurityException, IOException {
    this.address = address;
    this.token = token;
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    var pem = new ByteArrayInputStream(caPem.getBytes(StandardCharsets.US_ASCII));
    trusted.setCertificateEntry("ca", CertificateFactory.getInstance("X.509").generateCertificate(pem));
    TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    client = HttpClient.newBuilder().sslContext(context).version(HttpClient.Version.HTTP_1_1).build();
  }

  /** Sends a request. Returns the response, or null if the object does not exist. */
  @SuppressWarnings("unchecked")
  Map<String, Object> call(String method, String path, Object body) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address + path))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(Json.write(body)))
            .build();
    var answer = client.send(request, BodyHandlers.ofString());
    if (answer.statusCode() == 404) return null;
    if (answer.statusCode() >= 300) throw new IOException(method + " " + path + ": " + answer.body());
    return (Map<String, Object>) Json.parse(answer.body());
  }
}
