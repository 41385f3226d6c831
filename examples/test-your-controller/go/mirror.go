// Package mirror is a controller that needs only the standard library.
package mirror

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
)

// ConfigMap has the fields that the mirror uses.
type ConfigMap struct {
	Metadata Metadata          `json:"metadata"`
	Data     map[string]string `json:"data,omitempty"`
}

// Metadata identifies an object.
type Metadata struct {
	Name            string            `json:"name"`
	Labels          map[string]string `json:"labels,omitempty"`
	ResourceVersion string            `json:"resourceVersion,omitempty"`
}

// API is a client of a server.
type API struct {
	Address string
	Token   string
	HTTP    *http.Client
}

// Call sends a request, reads the response into out, and returns its status code.
func (a *API) Call(method, path string, in, out any) (int, error) {
	var body io.Reader
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			return 0, err
		}
		body = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, a.Address+path, body)
	if err != nil {
		return 0, err
	}
	request.Header.Set("Authorization", "Bearer "+a.Token)
	request.Header.Set("Content-Type", "application/json")
	answer, err := a.HTTP.Do(request)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, err
	}
	if answer.StatusCode >= 300 && answer.StatusCode != http.StatusNotFound {
		return answer.StatusCode, fmt.Errorf("%s %s: %s", method, path, text)
	}
	if out == nil || answer.StatusCode == http.StatusNotFound {
		return answer.StatusCode, nil
	}
	return answer.StatusCode, json.Unmarshal(text, out)
}

// Run copies every ConfigMap that is labelled mirror=yes to another namespace, in one pass, and returns the names of the copies that it wrote.
func Run(api *API, target string) ([]string, error) {
	var found struct{ Items []ConfigMap }
	if _, err := api.Call("GET", "/api/v1/configmaps?labelSelector=mirror%3Dyes", nil, &found); err != nil {
		return nil, err
	}
	written := []string{}
	copies := "/api/v1/namespaces/" + target + "/configmaps"
	for _, source := range found.Items {
		name := source.Metadata.Name
		var stored ConfigMap
		status, err := api.Call("GET", copies+"/"+name, nil, &stored)
		if err != nil {
			return written, err
		}
		copied := ConfigMap{Metadata: Metadata{Name: name}, Data: source.Data}
		switch {
		case status == http.StatusNotFound:
			_, err = api.Call("POST", copies, copied, nil)
		case reflect.DeepEqual(stored.Data, source.Data):
			continue
		default:
			copied.Metadata.ResourceVersion = stored.Metadata.ResourceVersion
			_, err = api.Call("PUT", copies+"/"+name, copied, nil)
		}
		if err != nil {
			return written, err
		}
		written = append(written, name)
	}
	return written, nil
}
