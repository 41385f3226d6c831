import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ConformanceSamples, Vendor } from 'orch/sdk'

/**
 * Samples for `orch conformance`: objects that the control checks. The backend never responds, which allows Pods.
 */
export function conformance(vendor: Vendor, folder: string): ConformanceSamples {
  const write = (name: string, content: object) => {
    const path = join(folder, name)
    writeFileSync(path, JSON.stringify(content))
    return path
  }
  const kubeConfigFile = write('backend.json', {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'backend', cluster: { server: 'https://127.0.0.1:1/images' } }],
    users: [{ name: 'us', user: { token: 'conformance' } }],
    contexts: [{ name: 'only', context: { cluster: 'backend', user: 'us' } }],
    'current-context': 'only',
  })
  const configuration = { imagePolicy: { kubeConfigFile, retryBackoff: 1, defaultAllow: true } }
  return {
    plugins: ['orch/plugins/workloads'],
    options: {
      enableAdmissionPlugins: ['ImagePolicyWebhook'],
      admissionControlConfigFile: write('admission.json', {
        apiVersion: `${vendor.group('apiserver.config')}/v1`,
        kind: 'AdmissionConfiguration',
        plugins: [{ name: 'ImagePolicyWebhook', configuration }],
      }),
    },
    samples: { pods: { valid: () => ({ spec: { containers: [{ name: 'c', image: 'i' }] } }) } },
  }
}
