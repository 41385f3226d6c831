import type { ApiObject, Vendor } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import { group } from '../widgets/schema.js'

const rule = (...operations: string[]) => ({
  operations,
  apiGroups: [group],
  apiVersions: ['*'],
  resources: ['widgets'],
})

/** Registers the webhooks with server-side apply, so that it can be repeated: a new address replaces the old one. */
export async function registerWebhooks(client: Client, vendor: Vendor, url: string, caPem: string): Promise<void> {
  const webhook = (name: string, path: string, ...operations: string[]) => ({
    name: `${name}.widgets.${group}`,
    clientConfig: { url: url + path, caBundle: Buffer.from(caPem).toString('base64') },
    rules: [rule(...operations)],
    // Rejected widgets are better than unchecked ones.
    failurePolicy: 'Fail',
    sideEffects: 'None',
    timeoutSeconds: 5,
    admissionReviewVersions: ['v1'],
  })
  const apply = (kind: string, ...webhooks: object[]) => {
    const configurations = {
      group: vendor.group('admissionregistration'),
      version: 'v1',
      resource: `${kind.toLowerCase()}s`,
    }
    return client.resource<ApiObject>(configurations).apply(
      {
        apiVersion: `${configurations.group}/v1`,
        kind,
        metadata: { name: `widgets.${group}` },
        webhooks,
      },
      { fieldManager: 'widget-webhooks', force: true },
    )
  }
  await apply('MutatingWebhookConfiguration', webhook('default', '/default-widget', 'CREATE', 'UPDATE'))
  await apply('ValidatingWebhookConfiguration', webhook('validate', '/validate-widget', 'CREATE', 'UPDATE', 'DELETE'))
}
