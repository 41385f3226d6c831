package example;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A controller that copies every ConfigMap labelled {@code mirror=yes} to another namespace. */
final class Mirror {
  private Mirror() {}

  /** Runs one pass. Returns the names of the copies that it wrote. */
  @SuppressWarnings("unchecked")
  static List<String> run(Api api, String target) throws IOException, InterruptedException {
    List<String> written = new ArrayList<>();
    String maps = "/api/v1/namespaces/" + target + "/configmaps";
    Map<String, Object> found = api.call("GET", "/api/v1/configmaps?labelSelector=mirror%3Dyes", null);
    for (Map<String, Object> source : (List<Map<String, Object>>) found.get("items")) {
      String name = (String) ((Map<String, Object>) source.get("metadata")).get("name");
      Map<String, Object> copy = api.call("GET", maps + "/" + name, null);
      if (copy == null) {
        api.call("POST", maps, Map.of("metadata", Map.of("name", name), "data", source.get("data")));
      } else if (Objects.equals(copy.get("data"), source.get("data"))) {
        continue;
      } else {
        Map<String, Object> changed = new LinkedHashMap<>(copy);
        changed.put("data", source.get("data"));
        api.call("PUT", maps + "/" + name, changed);
      }
      written.add(name);
    }
    return written;
  }
}
