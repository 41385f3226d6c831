import type { ScriptedWebhook } from './scripted-webhook.js'

/** An answer of the API server. */
export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever came
  readonly body: any
  readonly warnings: string
}

/** A server under test, a webhook it can call, and short ways to both. */
export class WebhookWorld {
  readonly server: { readonly baseUrl: string; readonly token: string; stop(): Promise<void> }
  readonly webhook: ScriptedWebhook
  readonly caBundle: string
  /** The webhook's own certificate, as a bundle. */
  readonly ownCertificate: string
  readonly group: string

  constructor(
    server: WebhookWorld['server'],
    webhook: ScriptedWebhook,
    { caPem, certificatePem }: { readonly caPem: string; readonly certificatePem: string },
    group: string,
  ) {
    this.server = server
    this.webhook = webhook
    this.caBundle = Buffer.from(caPem).toString('base64')
    this.ownCertificate = Buffer.from(certificatePem).toString('base64')
    this.group = group
  }

  async stop(): Promise<void> {
    await this.server.stop()
    await this.webhook.stop()
  }

  async send(method: string, path: string, body?: unknown, contentType = 'application/json'): Promise<Answer> {
    const response = await fetch(this.server.baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${this.server.token}`, 'content-type': contentType },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      body: text.startsWith('{') ? JSON.parse(text) : text,
      warnings: response.headers.get('warning') ?? '',
    }
  }

  /** Creates a namespace. */
  async namespace(name: string, labels: Record<string, string> = {}): Promise<void> {
    await this.mustSend('POST', '/api/v1/namespaces', { metadata: { name, labels } })
  }
  /** A ConfigMap in a namespace. */
  create(namespace: string, name: string, more: Record<string, unknown> = {}, query = ''): Promise<Answer> {
    const { metadata = {}, ...fields } = more
    return this.send('POST', `/api/v1/namespaces/${namespace}/configmaps${query}`, {
      metadata: { name, ...(metadata as object) },
      ...fields,
    })
  }

  /** A webhook in a namespace, as a configuration lists it: for ConfigMaps of that namespace, unless changed. */
  hook(namespace: string, name: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
    return {
      name: `${name}.acme.test`,
      clientConfig: { url: `${this.webhook.url}/${namespace}/${name}`, caBundle: this.caBundle },
      rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      namespaceSelector: { matchLabels: { [`${this.group.split('.').slice(-2).join('.')}/metadata.name`]: namespace } },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      timeoutSeconds: 5,
      ...changes,
    }
  }
  /** Puts a configuration in place of one of the same name. */
  async configure(
    kind: 'Mutating' | 'Validating',
    name: string,
    webhooks: readonly Record<string, unknown>[],
    version = 'v1',
  ): Promise<void> {
    const path = `/apis/${this.group}/${version}/${kind.toLowerCase()}webhookconfigurations`
    await this.send('DELETE', `${path}/${name}`)
    await this.mustSend('POST', path, { metadata: { name }, webhooks })
  }
  async removeConfiguration(kind: 'Mutating' | 'Validating', name: string): Promise<void> {
    await this.send('DELETE', `/apis/${this.group}/v1/${kind.toLowerCase()}webhookconfigurations/${name}`)
  }

  async mustSend(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await this.send(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer
  }
}
