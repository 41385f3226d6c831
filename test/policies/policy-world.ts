import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { apps } from 'orch/plugins/apps'
import { authorization } from 'orch/plugins/authorization'
import { configuration } from 'orch/plugins/configuration'
import { customResources } from 'orch/plugins/custom-resources'
import { expressionLanguage } from 'orch/plugins/expressions'
import { namespaces } from 'orch/plugins/namespaces'
import { nodes } from 'orch/plugins/nodes'
import { policies } from 'orch/plugins/policies'
import { webhooks } from 'orch/plugins/webhooks'
import { workloads } from 'orch/plugins/workloads'
import type { PluginEntry } from 'orch/sdk'
import { httpTransport } from 'orch/sdk/client'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { eventually } from '../support/eventually.js'
import { type Folder, temporaryFolder } from '../support/temporary-folder.js'

export interface Answer {
  readonly status: number
  readonly warnings: readonly string[]
  // biome-ignore lint/suspicious/noExplicitAny: tests look into all kinds of objects
  readonly json: any
}
type Json = Readonly<Record<string, unknown>>

export const group = 'admissionregistration.orch.io'
export const rules = (...resources: string[]) => ({
  resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources }],
})

/** The control loops that matter here. */
const loops = ['customresourcedefinition', 'validatingadmissionpolicy-status']

/** A server over HTTPS with policies, that records an audit log. */
export class PolicyWorld {
  readonly server: TestServer
  readonly #folder: Folder
  readonly #transport
  #names = 0

  private constructor(server: TestServer, folder: Folder) {
    this.server = server
    this.#folder = folder
    this.#transport = httpTransport(server.clientConfig)
  }
  static async start(options: Json = {}, more: readonly PluginEntry[] = []): Promise<PolicyWorld> {
    const folder = temporaryFolder()
    const auditLogPath = join(folder.path, 'audit.log')
    const auditPolicyFile = folder.write('audit.json', '{"kind": "Policy", "rules": [{"level": "Metadata"}]}')
    const plugins = [
      namespaces,
      authorization,
      configuration,
      nodes,
      workloads,
      apps,
      webhooks,
      customResources,
      expressionLanguage,
      policies,
    ]
    const server = await startServer({
      tls: true,
      plugins: [...plugins, ...more],
      options: {
        auditLogPath,
        auditPolicyFile,
        authorizationMode: ['RBAC'],
        controllers: ['-*', ...loops],
        ...options,
      },
    })
    return new PolicyWorld(server, folder)
  }
  async stop(): Promise<void> {
    await this.#transport.close()
    await this.server.stop()
    this.#folder.remove()
  }

  /** Sends a request, as an administrator by default. */
  async ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const answer = await this.#transport({
      method,
      path,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const chunks: Buffer[] = []
    for await (const chunk of answer.body) chunks.push(chunk)
    const warnings = [answer.headers['warning'] ?? []].flat().map(text => /^299 \S+ "(.*)"$/.exec(text)?.[1] ?? text)
    return { status: answer.status, warnings, json: JSON.parse(Buffer.concat(chunks).toString() || '{}') }
  }
  /** Like `ask`, but throws on errors. */
  async must(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await this.ask(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.json.message}`)
    return answer
  }

  /** A name that no other test has. */
  name(prefix = 'p'): string {
    return `${prefix}${++this.#names}.example.com`
  }
  /** Writes a validating policy and a binding of it; returns its name. */
  async bind(spec: Json, binding: Json = {}, name = this.name()): Promise<string> {
    await this.must('POST', `/apis/${group}/v1/validatingadmissionpolicies`, {
      metadata: { name },
      spec: { matchConstraints: rules('configmaps'), ...spec },
    })
    await this.must('POST', `/apis/${group}/v1/validatingadmissionpolicybindings`, {
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'], ...binding },
    })
    return name
  }
  /** Writes a mutating policy and a binding of it; returns its name. */
  async change(spec: Json, binding: Json = {}, name = this.name()): Promise<string> {
    await this.must('POST', `/apis/${group}/v1/mutatingadmissionpolicies`, {
      metadata: { name },
      spec: { matchConstraints: rules('configmaps'), ...spec },
    })
    await this.must('POST', `/apis/${group}/v1/mutatingadmissionpolicybindings`, {
      metadata: { name },
      spec: { policyName: name, ...binding },
    })
    return name
  }
  /** Deletes policies and bindings. */
  async clear(): Promise<void> {
    for (const kind of ['validating', 'mutating'])
      for (const type of ['policies', 'policybindings'])
        await this.must('DELETE', `/apis/${group}/v1/${kind}admission${type}`)
  }
  /** Sends a ConfigMap with dry run. */
  tryConfigMap(
    object: Json = {},
    namespace = 'default',
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const { metadata, ...rest } = object
    const named = { name: 'a', ...(metadata as object) }
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: named, ...rest }
    return this.ask('POST', `/api/v1/namespaces/${namespace}/configmaps?dryRun=All`, body, headers)
  }
  /** The annotations of the last audit event that has one whose key this is. */
  recorded(key: string): Promise<Readonly<Record<string, string>>> {
    return eventually(`an audit event with ${key}`, () => {
      const lines = readFileSync(join(this.#folder.path, 'audit.log'), 'utf8').split('\n').slice(0, -1)
      const events = lines.map(line => JSON.parse(line) as { annotations?: Record<string, string> })
      return events.findLast(({ annotations }) => annotations && key in annotations)?.annotations
    })
  }
}
