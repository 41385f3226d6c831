package example;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A controller that copies every ConfigMap labelled {@code mirror=yes} to another namespace. */
public final class Mirror {
  private Mirror() {}

  /** Runs one pass. Returns the names of the copies that it wrote. */
  public static List<String> run(KubernetesClient client, String target) {
    List<String> written = new ArrayList<>();
    for (ConfigMap source : client.configMaps().inAnyNamespace().withLabel("mirror", "yes").list().getItems()) {
      String name = source.getMetadata().getName();
      ConfigMap copy = client.configMaps().inNamespace(target).withName(name).get();
      if (copy == null) {
        ConfigMap made =
            new ConfigMapBuilder().withNewMetadata().withName(name).endMetadata().withData(source.getData()).build();
        client.configMaps().inNamespace(target).resource(made).create();
      } else if (Objects.equals(copy.getData(), source.getData())) {
        continue;
      } else {
        ConfigMap changed = new ConfigMapBuilder(copy).withData(source.getData()).build();
        client.configMaps().inNamespace(target).resource(changed).update();
      }
      written.add(name);
    }
    return written;
  }
}
