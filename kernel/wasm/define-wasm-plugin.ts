import { definePlugin, defineStartTask, type Plugin, services, type TObject, Type } from 'orch/sdk'
import { isObject } from '../../libs/json/index.js'
import { namedFunctions, readManifest } from './manifest.js'
import { fieldsOf, schemaFromJson } from './manifest-schema.js'
import { ModuleLog } from './module-log.js'
import { wasmAdmission } from './wasm-admission.js'
import { wasmAuthorizer } from './wasm-authorizer.js'
import { WasmCalls } from './wasm-calls.js'
import { WasmFailure } from './wasm-failure.js'
import { WasmModule } from './wasm-module.js'
import { wasmType } from './wasm-types.js'

const logs = new WeakMap<object, ModuleLog>()
/** What a plugin has reported, if its code is a WebAssembly module. */
export const moduleLogOf = (definition: Plugin['definition']): ModuleLog | undefined => logs.get(definition)

/** A plugin like any other, made of a WebAssembly module and its manifest. See docs/wasm-plugins.md. */
export async function defineWasmPlugin(bytes: Uint8Array, given: unknown): Promise<Plugin> {
  const manifest = readManifest(given)
  const log = new ModuleLog()
  const module = await WasmModule.compile(bytes, namedFunctions(manifest), manifest.limits, line => log.line(line))
  const { name, sdk, requires } = manifest
  const plugin = definePlugin({
    name,
    ...(sdk === undefined ? {} : { sdk }),
    ...(requires === undefined ? {} : { requires }),
    ...(manifest.options === undefined ? {} : { options: optionsOf(manifest.options) }),
    register(to, { options }) {
      const calls = new WasmCalls(module, manifest, log, isObject(options) ? options : {})
      to.resource(...manifest.resources.map(type => wasmType(type, calls)))
      to.admission(...manifest.admission.map(control => wasmAdmission(control, calls)))
      to.authorizer(...manifest.authorizers.map(authorizer => wasmAuthorizer(authorizer, calls)))
      to.onStart(
        defineStartTask({
          name: `${name}-log`,
          needs: { logger: services.logger },
          run: ({ logger }) => log.use(logger),
        }),
      )
    },
  })
  logs.set(plugin.definition, log)
  return plugin
}

function optionsOf(given: Record<string, unknown>): TObject {
  const properties = fieldsOf(schemaFromJson(given, 'options'))
  if (!properties) throw new WasmFailure('the options cannot be used: their schema must be an object with properties')
  return Type.Object(properties)
}
