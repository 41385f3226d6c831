import { type ConformanceSamples, defineAdmission, defineResource, reject, services } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import { defineAuthorizer } from 'orch/sdk/identity'
import { brokenBehaviour } from './broken-behaviour.js'
import type { BrokenPlugin } from './broken-plugin.js'
import { brokenRules } from './broken-rules.js'
import { brokenTypes } from './broken-types.js'
import { type Gadget, gadgetPlugin, gadgetRef, gadgetSamples, gadgets, type SentGadget } from './gadgets.js'

let runs = 0
const timers: NodeJS.Timeout[] = []

const brokenControls: Readonly<Record<string, BrokenPlugin>> = {
  'a validating control that changes the object': {
    plugin: gadgetPlugin({ control: { review: ({ object }) => void (object.spec = { color: 'mine' }) } }),
    finds: 'changes only what it may',
    says: /modifies a read-only part of the request, on create of gadgets/,
  },
  'a mutating control that changes the stored object': {
    plugin: gadgetPlugin({
      control: {
        phase: 'mutate',
        review({ oldObject }) {
          if (oldObject) oldObject.spec = {}
        },
      },
    }),
    finds: 'changes only what it may',
    says: /modifies a read-only part of the request, on update of gadgets/,
  },
  'a control that throws': {
    plugin: gadgetPlugin({ control: { review: ({ object }) => void object.spec!.color!.trim().length } }),
    given: { samples: { 'gadgets.acme.test': { valid: () => ({}) } } },
    finds: 'changes only what it may',
    says: /throws on create of gadgets: Cannot read properties of undefined/,
  },
  'a mutating control that is not idempotent': {
    plugin: gadgetPlugin({
      control: {
        phase: 'mutate',
        review({ object, operation }) {
          if (operation === 'create') object.spec = { ...object.spec, size: (object.spec?.size ?? 0) + 1 }
        },
      },
    }),
    finds: 'changes only what it may',
    says: /changes the object again when it runs again/,
  },
  'a mutating control that rejects its own result': {
    plugin: gadgetPlugin({
      control: {
        phase: 'mutate',
        review({ object, operation }) {
          if (operation !== 'create') return
          if (object.spec?.size === 77) return reject('77 is taken')
          object.spec = { ...object.spec, size: 77 }
        },
      },
    }),
    finds: 'changes only what it may',
    says: /rejects a request that it admitted \(77 is taken\) when it runs again/,
  },
  'a disabled control that throws': {
    plugin: gadgetPlugin({
      control: {
        enabledByDefault: false,
        review() {
          throw new TypeError('not today')
        },
      },
    }),
    finds: 'changes only what it may',
    says: /throws on create of gadgets: not today/,
  },
  'a control that writes during a dry run': {
    plugin: gadgetPlugin({
      more: to =>
        to.admission(
          defineAdmission<Gadget>()({
            name: 'Tracer',
            phase: 'mutate',
            sideEffects: 'none',
            needs: { client: services.client },
            async review(request, { client }) {
              if (!request.dryRun || request.operation !== 'update') return
              const all = client.resource<Gadget, SentGadget>(gadgetRef)
              await all.in(request.namespace).create({ metadata: { name: `trace-${++runs}` } })
            },
          }),
        ),
    }),
    finds: 'dry runs of create, update and delete',
    says: /a dry run had an effect/,
  },
  'samples of an unknown type': {
    plugin: gadgetPlugin(),
    given: { samples: { 'gizmos.acme.test': { valid: () => ({}) } } },
    finds: 'can be created, changed and deleted',
    says: /no plugin provides gizmos.acme.test/,
  },
}

const acceptAll = { authenticate: () => ({ user: { name: 'x', groups: [] } }) }
const brokenAccess: Readonly<Record<string, BrokenPlugin>> = {
  'a mode that allows everything': {
    plugin: gadgetPlugin({
      authorizer: defineAuthorizer({ mode: 'Open', authorize: () => ({ decision: 'allow' }) }),
    }),
    finds: 'a user without permissions is denied every verb',
    says: /create \(POST \) returns \d+ to a user without permission/,
  },
  'a mode that allows nothing': {
    plugin: gadgetPlugin({
      authorizer: defineAuthorizer({ mode: 'Closed', authorize: () => ({ decision: 'deny' }) }),
    }),
    finds: 'a user with read permissions can read',
    says: /returns 403 to a user with permission/,
  },
  ...Object.fromEntries(
    ['an unknown bearer token', 'an empty bearer token', 'a token that looks signed', 'garbage'].map(what => [
      `a method that accepts ${what}`,
      {
        plugin: gadgetPlugin({ method: acceptAll }),
        finds: `grants no access with ${what}`,
        says: /it accepts the credential/,
      },
    ]),
  ),
  'a method that accepts requests without credentials': {
    plugin: gadgetPlugin({ requestMethod: acceptAll }),
    finds: 'grants no access with no credentials',
    says: /it accepts the credential/,
  },
  'a method that leaks the token': {
    plugin: gadgetPlugin({
      method: {
        authenticate({ bearerToken }) {
          throw new Error(`bad token ${bearerToken}`)
        },
      },
    }),
    finds: 'grants no access with an unknown bearer token',
    says: /quotes the credential/,
  },
  'a method that throws on a foreign token': {
    plugin: gadgetPlugin({
      method: { authenticate: ({ bearerToken }) => void JSON.parse(bearerToken!.split('.')[1]!) },
    }),
    finds: 'grants no access with garbage',
    says: /internal error/,
  },
}

const brokenLives: Readonly<Record<string, BrokenPlugin>> = {
  'a plugin that registers something different every time': {
    plugin: gadgetPlugin({
      more: to => to.resource(defineResource({ ...gadgets, kind: `Gizmo${++runs}`, resource: `gizmos${runs}` })),
    }),
    finds: 'registering is repeatable',
    says: /registered differently/,
  },
  'a loop that leaves a handle open': {
    plugin: gadgetPlugin({
      loop: {
        start() {
          timers.push(setInterval(() => {}, 1000))
          return async () => {}
        },
      },
    }),
    finds: 'leaves nothing open',
    says: /still open after stop: 1 Timeout/,
    cleanUp: () => timers.splice(0).forEach(clearInterval),
  },
  'a loop without the rules that it needs': {
    plugin: gadgetPlugin({ loop: { rules: [] } }),
    finds: 'make no request that their rules do not allow',
    says: /denied for lack of a rule: gadget-loop: list gadgets of acme.test/,
  },
  'a loop that repeats its work at every start': {
    plugin: gadgetPlugin({
      loop: {
        needs: { client: services.client },
        async start({ client }: { client: Client }) {
          const all = client.resource<Gadget, SentGadget>(gadgetRef)
          for await (const { metadata } of all.each())
            await all.in(metadata?.namespace ?? '').patch(metadata?.name ?? '', { spec: { size: ++runs } })
          return async () => {}
        },
      },
    }),
    finds: 'continue after a restart',
    says: /of the loops still changes objects/,
  },
}

/** Plugins with one defect each, and the check that finds it. */
export const brokenPlugins: Readonly<Record<string, BrokenPlugin>> = {
  ...brokenTypes,
  ...brokenRules,
  ...brokenControls,
  ...brokenAccess,
  ...brokenLives,
  ...brokenBehaviour,
}
export const samplesOf = ({ given = gadgetSamples }: BrokenPlugin): ConformanceSamples => given
