package mirror

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

const token = "a-token-for-tests"

var api *API

// TestMain runs one server for all tests: `npx orch`, or the command in ORCH.
func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "mirror-")
	if err != nil {
		panic(err)
	}
	tokens, ready := filepath.Join(folder, "tokens.csv"), filepath.Join(folder, "ready.json")
	if err := os.WriteFile(tokens, []byte(token+",admin,1,system:masters\n"), 0o600); err != nil {
		panic(err)
	}
	words := strings.Fields(os.Getenv("ORCH"))
	if len(words) == 0 {
		words = []string{"npx", "orch"}
	}
	words = append(words, "serve", "--vendor=kubernetes", "--storage-engine=memory", "--secure-port=0",
		"--data-dir="+folder, "--token-auth-file="+tokens, "--ready-file="+ready)
	server := exec.Command(words[0], words[1:]...)
	server.Stderr = os.Stderr
	if err := server.Start(); err != nil {
		panic(err)
	}
	api = waitFor(ready)
	code := m.Run()
	_ = server.Process.Signal(os.Interrupt)
	_ = server.Wait()
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

func waitFor(ready string) *API {
	var server struct {
		Address string
		CA      string
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		text, err := os.ReadFile(ready)
		if err != nil {
			continue
		}
		if err := json.Unmarshal(text, &server); err != nil {
			panic(err)
		}
		trusted := x509.NewCertPool()
		trusted.AppendCertsFromPEM([]byte(server.CA))
		transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted}}
		return &API{Address: server.Address, Token: token, HTTP: &http.Client{Transport: transport}}
	}
	panic("the server did not start")
}

func must(t *testing.T, method, path string, in, out any) {
	t.Helper()
	if _, err := api.Call(method, path, in, out); err != nil {
		t.Fatal(err)
	}
}

func TestCopiesWhatIsLabelledAndFollowsChanges(t *testing.T) {
	must(t, "POST", "/api/v1/namespaces", ConfigMap{Metadata: Metadata{Name: "copies"}}, nil)
	paint := ConfigMap{
		Metadata: Metadata{Name: "paint", Labels: map[string]string{"mirror": "yes"}},
		Data:     map[string]string{"color": "red"},
	}
	must(t, "POST", "/api/v1/namespaces/default/configmaps", paint, nil)
	must(t, "POST", "/api/v1/namespaces/default/configmaps", ConfigMap{Metadata: Metadata{Name: "other"}}, nil)
	for _, color := range []string{"red", "blue"} {
		paint.Data["color"] = color
		must(t, "PUT", "/api/v1/namespaces/default/configmaps/paint", paint, nil)
		for _, expected := range [][]string{{"paint"}, {}} {
			written, err := Run(api, "copies")
			if err != nil || !reflect.DeepEqual(written, expected) {
				t.Fatalf("wrote %v, expected %v: %v", written, expected, err)
			}
		}
		var copied ConfigMap
		must(t, "GET", "/api/v1/namespaces/copies/configmaps/paint", nil, &copied)
		if copied.Data["color"] != color {
			t.Fatalf("the copy has %v", copied.Data)
		}
	}
}
