package example;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Starts one server for the test: {@code npx orch}, or the command in ORCH. */
public final class MirrorTest {
  private static final String TOKEN = "a-token-for-tests";

  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createTempDirectory("mirror");
    Process server = start(folder);
    try {
      copiesWhatIsLabelledAndFollowsChanges(waitFor(server, folder.resolve("ready.json")));
      System.out.println("PASS copiesWhatIsLabelledAndFollowsChanges");
    } finally {
      server.destroy();
      server.waitFor();
      try (var files = Files.walk(folder)) {
        for (Path path : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(path);
      }
    }
  }

  private static void copiesWhatIsLabelledAndFollowsChanges(Api api) throws Exception {
    String maps = "/api/v1/namespaces/default/configmaps";
    api.call("POST", "/api/v1/namespaces", Map.of("metadata", Map.of("name", "copies")));
    api.call("POST", maps, paint("red"));
    api.call("POST", maps, Map.of("metadata", Map.of("name", "other")));
    for (String color : List.of("red", "blue")) {
      api.call("PUT", maps + "/paint", paint(color));
      assertEquals(List.of("paint"), Mirror.run(api, "copies"));
      assertEquals(List.of(), Mirror.run(api, "copies"));
      var copy = api.call("GET", "/api/v1/namespaces/copies/configmaps/paint", null);
      assertEquals(Map.of("color", color), copy.get("data"));
    }
    assertEquals(null, api.call("GET", "/api/v1/namespaces/copies/configmaps/other", null));
  }

  private static Map<String, Object> paint(String color) {
    return Map.of(
        "metadata", Map.of("name", "paint", "labels", Map.of("mirror", "yes")), "data", Map.of("color", color));
  }

  private static void assertEquals(Object expected, Object actual) {
    if (!Objects.equals(expected, actual)) throw new AssertionError("expected " + expected + ", not " + actual);
  }

  private static Process start(Path folder) throws Exception {
    Path tokens = Files.writeString(folder.resolve("tokens.csv"), TOKEN + ",admin,1,system:masters\n");
    String program = Objects.requireNonNullElse(System.getenv("ORCH"), "npx orch");
    List<String> command = new ArrayList<>(List.of(program.split(" ")));
    command.addAll(List.of("serve", "--vendor=kubernetes", "--storage-engine=memory", "--secure-port=0"));
    command.addAll(List.of("--data-dir=" + folder, "--token-auth-file=" + tokens));
    command.add("--ready-file=" + folder.resolve("ready.json"));
    return new ProcessBuilder(command)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  @SuppressWarnings("unchecked")
  private static Api waitFor(Process server, Path ready) throws Exception {
    long end = System.nanoTime() + 60_000_000_000L;
    while (!Files.exists(ready)) {
      if (System.nanoTime() > end || !server.isAlive()) throw new IllegalStateException("the server did not start");
      Thread.sleep(20);
    }
    var document = (Map<String, Object>) Json.parse(Files.readString(ready));
    return new Api((String) document.get("address"), TOKEN, (String) document.get("ca"));
  }
}
