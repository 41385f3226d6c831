import { configuration } from 'orch/plugins/configuration'
import { disruption } from 'orch/plugins/disruption'
import { namespaces } from 'orch/plugins/namespaces'
import { networking } from 'orch/plugins/networking'
import { nodes } from 'orch/plugins/nodes'
import { storage } from 'orch/plugins/storage'
import { webhooks } from 'orch/plugins/webhooks'
import { workloads } from 'orch/plugins/workloads'
import { type KeyPair, startServer, type TestServerOptions, testAuthority } from 'orch/sdk/testing'
import { ScriptedWebhook } from './scripted-webhook.js'
import { WebhookWorld } from './webhook-world.js'

export const serviceName = 'reviewer.hooks.svc'

export interface WorldOptions extends Partial<TestServerOptions> {
  /** The webhook asks its callers for a certificate. */
  readonly asksForCertificate?: boolean
  /** The webhook's own keys, instead of some of a test authority. */
  readonly keys?: KeyPair
  /** Further names that the webhook's certificate is valid for. */
  readonly serverNames?: readonly string[]
  /** Config keys that depend on where the webhook is. */
  configFor?(webhook: ScriptedWebhook): Record<string, unknown>
}

/** A server with the usual plugins, and a webhook in a separate process. */
export async function startWorld(options: WorldOptions = {}): Promise<WebhookWorld> {
  const { plugins = [], asksForCertificate, keys: _, serverNames = [], configFor, ...others } = options
  const authority = await testAuthority()
  const keys = options.keys ?? (await authority.server(serviceName, ...serverNames))
  const webhook = await ScriptedWebhook.start({
    ...keys,
    ...(asksForCertificate ? { clientCaPem: authority.caPem } : {}),
  })
  const server = await startServer({
    plugins: [namespaces, nodes, configuration, storage, workloads, disruption, networking, webhooks, ...plugins],
    ...others,
    ...(configFor ? { options: configFor(webhook) } : {}),
  }).catch(async failure => {
    await webhook.stop()
    throw failure
  })
  return new WebhookWorld(server, webhook, { caPem: authority.caPem, ...keys }, 'admissionregistration.orch.io')
}

/** Runs a test with a new server and webhook. */
export async function withWorld(test: (world: WebhookWorld) => Promise<void>, options?: WorldOptions): Promise<void> {
  const world = await startWorld(options)
  await test(world).finally(() => world.stop())
}
