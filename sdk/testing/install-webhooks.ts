import type { WebhookClientConfig } from '../admission/webhook-client-config.js'
import type { Client } from '../client/client.js'
import type { ApiObject } from '../resource/meta.js'
import { installObject } from './install-objects.js'
import { type ManifestSource, readManifests } from './read-manifests.js'

/** The webhooks of a test: their configurations and their server. */
export interface WebhookInstallation {
  /** Paths of YAML or JSON files, of folders of them, and objects. What is no configuration of webhooks is left out. */
  readonly configurations: readonly ManifestSource[]
  /** The webhook server of the test, such as `https://127.0.0.1:9443`. The path is that of each configuration. */
  readonly url: string
  /** What its certificate is checked against; the certificate itself will do. */
  readonly caPem: string
}

type Configuration = ApiObject & { webhooks?: { clientConfig?: WebhookClientConfig }[] }
const kinds = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration']

export async function installWebhooks(
  client: Client,
  { configurations, url, caPem }: WebhookInstallation,
): Promise<readonly ApiObject[]> {
  const found = readManifests(configurations).filter(object => kinds.includes(object.kind ?? '')) as Configuration[]
  const caBundle = Buffer.from(caPem).toString('base64')
  const base = url.replace(/\/$/, '')
  return Promise.all(
    found.map(configuration =>
      installObject(client, {
        ...configuration,
        webhooks: configuration.webhooks?.map(webhook => ({
          ...webhook,
          clientConfig: { url: `${base}${pathOf(webhook.clientConfig)}`, caBundle },
        })),
      } as ApiObject),
    ),
  )
}

function pathOf({ service, url }: WebhookClientConfig = {}): string {
  const path = service ? (service.path ?? '') : URL.canParse(url ?? '') ? new URL(url ?? '').pathname : ''
  return path.startsWith('/') || path === '' ? path : `/${path}`
}
