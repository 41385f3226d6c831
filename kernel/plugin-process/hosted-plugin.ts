import {
  type AdmissionDefinition,
  type ControllerDefinition,
  isPromise,
  type Needs,
  type Resolved,
  Vendor,
  type VendorProfile,
} from 'orch/sdk'
import type { PluginDefinition } from 'orch/sdk/host'
import { isObject, type JsonObject } from '../../libs/json/index.js'
import { discoverPlugins } from '../boot/discover-plugins.js'
import { BootError } from '../contracts/boot-errors.js'
import type { CallLink, Handler } from '../isolation/call-link.js'
import { describeGraph } from '../isolation/graph.js'
import { definitionFields, type LoadedPlugin, type Registered } from '../isolation/plugin-messages.js'
import { authenticate, decide } from './hosted-access.js'
import { HostedReviews } from './hosted-review.js'
import { OwnServices } from './own-services.js'
import { received } from './received.js'
import { Recorder } from './recorder.js'

/** The plugin of this process: loads and registers it, and calls its contributions on request of the server. */
export class HostedPlugin {
  readonly #link: () => CallLink
  #definition: PluginDefinition | undefined
  #services: OwnServices | undefined
  #recorder = new Recorder()
  readonly #resolved = new Map<object, Resolved<Needs>>()
  readonly #stopLoop = new Map<number, () => Promise<void>>()
  readonly #stopTask = new Map<number, () => Promise<void>>()
  readonly #reviews: HostedReviews

  constructor(link: () => CallLink) {
    this.#link = link
    this.#reviews = new HostedReviews(link)
  }

  readonly handlers: Readonly<Record<string, Handler>> = {
    register: content => this.#register(content),
    review: content => this.#review(content),
    call: content => this.#recorder.functions.call(content),
    cells: content => this.#recorder.functions.cells(content),
    startLoop: ({ loop }) => this.#startLoop(Number(loop)),
    stopLoop: ({ loop }) => this.#end(this.#stopLoop, Number(loop)),
    startTask: ({ task }) => this.#startTask(Number(task)),
    stopTask: ({ task }) => this.#end(this.#stopTask, Number(task)),
    decide: content => decide(this.#recorder.authorizers[Number(content['authorizer'])], content, this.#services),
    authenticate: content =>
      authenticate(this.#recorder.authenticators[Number(content['authenticator'])], content, this.#services),
    check: ({ check }) => this.#check(Number(check)),
    serverState: content => this.#services?.state.receive(content),
    typesChanged: content => this.#services?.state.receiveTypes(content),
    changed: content => this.#services?.followed.receive(content),
    listed: content => this.#services?.reader.receive(content),
    chunk: content => this.#services?.transports.receive(content),
    end: content => this.#services?.transports.end(content),
  }

  async load({ file, folder }: JsonObject): Promise<LoadedPlugin> {
    const { plugins, problems } = await discoverPlugins([String(file)], String(folder))
    const [plugin] = plugins
    if (!plugin) throw causeOf(new BootError(problems))
    this.#definition = plugin.definition
    const fields = definitionFields.map(name => [name, plugin.definition[name]])
    return {
      definition: describeGraph(Object.fromEntries(fields), () => 0),
      ...(plugin.builtWithSdk === undefined ? {} : { builtWithSdk: plugin.builtWithSdk }),
    }
  }

  #register({ profile, options, gates }: JsonObject): Registered {
    const definition = this.#definition
    if (!definition) throw new Error('no plugin is loaded')
    const vendor = new Vendor(received<VendorProfile>(profile))
    const isOn = new Set(Array.isArray(gates) ? gates : [])
    this.#recorder = new Recorder()
    this.#recorder.functions.context = { vendor }
    this.#services = new OwnServices(this.#link, vendor, definition, this.#recorder.services)
    const given = isObject(options) ? options : {}
    const returned: unknown = definition.register(this.#recorder.registrar, {
      vendor,
      options: given,
      isEnabled: gate => isOn.has(gate),
    })
    if (isPromise(returned)) throw new Error('register must not return a promise')
    return this.#recorder.describe(this.#services)
  }

  #review(content: JsonObject): unknown {
    const control = this.#recorder.admissions[Number(content['control'])]
    if (!control) throw new Error('there is no such control')
    return this.#reviews.run(control, content, this.#servicesOf(control))
  }

  #servicesOf(definition: AdmissionDefinition): Resolved<Needs> {
    const known = this.#resolved.get(definition)
    if (known !== undefined) return known
    const resolved: Resolved<Needs> = this.#services?.resolve(definition.needs) ?? {}
    this.#resolved.set(definition, resolved)
    return resolved
  }

  async #startLoop(index: number): Promise<void> {
    const loop: ControllerDefinition | undefined = this.#recorder.controllers[index]
    if (!loop || !this.#services) throw new Error('there is no such loop')
    const stop = await loop.start(this.#services.resolve(loop.needs, index))
    this.#stopLoop.set(index, async () => void (await stop()))
  }
  async #startTask(index: number): Promise<void> {
    const task = this.#recorder.startTasks[index]
    if (!task || !this.#services) throw new Error('there is no such start task')
    const stop = await task.run(this.#services.resolve(task.needs))
    if (stop) this.#stopTask.set(index, stop)
  }
  #check(index: number): void | Promise<void> {
    const check = this.#recorder.healthChecks[index]
    return check?.check?.(this.#services?.resolve(check.needs) ?? {})
  }
  async #end(running: Map<number, () => Promise<void>>, index: number): Promise<void> {
    const stop = running.get(index)
    running.delete(index)
    await stop?.()
  }
}

/** The error that the plugin's author threw, not the boot error around it. */
function causeOf(error: BootError): unknown {
  const [first] = error.problems
  return first?.cause ?? error
}
