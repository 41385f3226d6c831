package example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fabric8.kubeapitest.junit.EnableKubeAPIServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** kube-api-test starts the programs in its folder (see the README) and injects a client. */
@EnableKubeAPIServer(kubeAPIVersion = "1.36.0")
class MirrorTest {
  static KubernetesClient client;

  @Test
  void copiesWhatIsLabelledAndFollowsChanges() {
    client
        .namespaces()
        .resource(new NamespaceBuilder().withNewMetadata().withName("copies").endMetadata().build())
        .create();
    for (String color : List.of("red", "blue")) {
      client.configMaps().inNamespace("default").resource(paint(color)).createOr(existing -> existing.update());
      assertEquals(List.of("paint"), Mirror.run(client, "copies"));
      assertEquals(List.of(), Mirror.run(client, "copies"));
      ConfigMap copy = client.configMaps().inNamespace("copies").withName("paint").get();
      assertEquals(Map.of("color", color), copy.getData());
    }
  }

  private static ConfigMap paint(String color) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName("paint")
        .addToLabels("mirror", "yes")
        .endMetadata()
        .addToData("color", color)
        .build();
  }
}
