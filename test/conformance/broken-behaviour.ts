import { createServer } from 'node:net'
import { defineAdmission, defineStartTask, reject, services } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import { defineAuthorizer } from 'orch/sdk/identity'
import type { BrokenPlugin } from './broken-plugin.js'
import { type Gadget, gadgetPlugin, gadgetRef, gadgets, type SentGadget } from './gadgets.js'

let runs = 0
const open: { stop(): void }[] = []
const cleanUp = () => {
  for (const { stop } of open.splice(0)) stop()
}
const openTimer = () => {
  const timer = setInterval(() => {}, 1000)
  open.push({ stop: () => clearInterval(timer) })
}

const controlled = (
  control: NonNullable<Parameters<typeof gadgetPlugin>[0]>['control'],
  says: RegExp,
): BrokenPlugin => ({
  plugin: gadgetPlugin({ control }),
  finds: 'changes only what it may',
  says,
})
const brokenControls: Readonly<Record<string, BrokenPlugin>> = {
  'a control of both phases that changes in the second': controlled(
    { phase: 'both', review: ({ object }, _, phase) => void (phase === 'validate' && object && (object.spec = {})) },
    /modifies a read-only part of the request, on create of gadgets/,
  ),
  'a control that throws a string': controlled(
    {
      review() {
        throw 'no'
      },
    },
    /throws on create of gadgets: no/,
  ),
  'a control that rejects': controlled(
    { review: () => Promise.reject(new Error('nobody answers')) },
    /throws on create of gadgets: nobody answers/,
  ),
  'a mutating control that labels at random': controlled(
    {
      phase: 'mutate',
      review: ({ object, operation }) =>
        void (operation === 'create' && Object.assign(object.spec, { color: `c${++runs}` })),
    },
    /changes the object again when it runs again/,
  ),
  'a mutating control that fails when it runs again': controlled(
    {
      phase: 'mutate',
      review({ object, operation }) {
        if (operation !== 'create') return
        if (object.spec.color === 'done') throw new Error('done already')
        object.spec.color = 'done'
      },
    },
    /rejects a request that it admitted \(done already\)/,
  ),
  'a control that rejects updates when it runs again': controlled(
    {
      phase: 'mutate',
      review: ({ operation, reinvoked }) => (operation === 'update' && reinvoked ? reject('enough') : undefined),
    },
    /rejects a request that it admitted \(enough\) when it runs again, on update of gadgets/,
  ),
  'a control that writes during the dry run of a creation': {
    plugin: gadgetPlugin({
      more: to =>
        to.admission(
          defineAdmission<Gadget>()({
            name: 'Tracer',
            phase: 'mutate',
            sideEffects: 'none',
            needs: { client: services.client },
            async review({ dryRun, operation, namespace }, { client }) {
              if (!dryRun || operation !== 'create') return
              const all = client.resource<Gadget, SentGadget>(gadgetRef)
              await all.in(namespace).create({ metadata: { name: `made-${++runs}` } })
            },
          }),
        ),
    }),
    finds: 'dry runs of create, update and delete',
    says: /a dry run had an effect/,
  },
}

const brokenTypes: Readonly<Record<string, BrokenPlugin>> = {
  'updates that are not validated': {
    plugin: gadgetPlugin({ type: { strategy: { ...gadgets.strategy, validateUpdate: () => [] } } }),
    finds: 'no update, patch or apply makes an object invalid',
    says: /is accepted and makes the object invalid/,
  },
  'a last step of creation that throws': {
    plugin: gadgetPlugin({
      type: { strategy: { ...gadgets.strategy, finishCreate: ({ spec }: Gadget) => void spec.color!.trim() } },
    }),
    finds: 'no object causes a server error',
    says: /POST returns 500/,
  },
  'name validation that throws': {
    plugin: gadgetPlugin({
      type: {
        validateName() {
          throw new TypeError('no names today')
        },
      },
    }),
    finds: 'no object causes a server error',
    says: /POST returns 500/,
  },
}

const moded = (authorize: Parameters<typeof defineAuthorizer>[0]['authorize']) =>
  gadgetPlugin({ authorizer: defineAuthorizer({ mode: 'Gadgets', authorize }) })
const strangerRefused = 'a user without permissions is denied every verb'
const brokenAccess: Readonly<Record<string, BrokenPlugin>> = {
  'a mode that allows every user to write a subresource': {
    plugin: moded(access => ({ decision: 'subresource' in access && access.subresource ? 'allow' : 'noOpinion' })),
    finds: strangerRefused,
    says: /of status \(.*\) returns \d+ to a user without permission/,
  },
  'a mode that allows every user to delete': {
    plugin: moded(({ verb }) => ({ decision: verb === 'deletecollection' ? 'allow' : 'noOpinion' })),
    finds: strangerRefused,
    says: /deletecollection .* returns \d+ to a user without permission/,
  },
  'a mode that throws': {
    plugin: moded(() => {
      throw new TypeError('no list')
    }),
    finds: strangerRefused,
    says: /returns 500 to a user without permission/,
  },
  'a method that throws a string': {
    plugin: gadgetPlugin({
      method: {
        authenticate() {
          throw 'unknown'
        },
      },
    }),
    finds: 'grants no access with an unknown bearer token',
    says: /it throws a string, not an Error/,
  },
  'a method that accepts any token that can be parsed': {
    plugin: gadgetPlugin({
      method: {
        authenticate({ bearerToken = '' }) {
          const isObject = (part: string) => Buffer.from(part, 'base64url').toString().startsWith('{')
          return bearerToken.split('.').some(isObject) ? { user: { name: 'x', groups: [] } } : undefined
        },
      },
    }),
    finds: 'grants no access with garbage',
    says: /it accepts the credential/,
  },
  'a method that trusts a header': {
    plugin: gadgetPlugin({
      requestMethod: {
        authenticate: ({ headers }) => (headers['x-remote-user'] ? { user: { name: 'x', groups: [] } } : undefined),
      },
    }),
    finds: 'grants no access with garbage',
    says: /it accepts the credential/,
  },
}

const brokenLives: Readonly<Record<string, BrokenPlugin>> = {
  'a plugin that opens a handle while it registers': {
    plugin: gadgetPlugin({ more: openTimer }),
    finds: 'registering is repeatable and opens nothing',
    says: /still open after stop: 1 Timeout/,
    cleanUp,
  },
  'a start task that leaves a port open': {
    plugin: gadgetPlugin({
      more: to =>
        to.onStart(
          defineStartTask({
            name: 'listen',
            run() {
              const server = createServer().listen(0, '127.0.0.1')
              open.push({ stop: () => server.close() })
            },
          }),
        ),
    }),
    finds: 'leaves nothing open',
    says: /still open after stop: 1 TCP/,
    cleanUp,
  },
  'a control that is registered only sometimes': {
    plugin: gadgetPlugin({
      more: to => to.admission({ name: `Control${++runs}`, phase: 'validate', sideEffects: 'none', review() {} }),
    }),
    finds: 'registering is repeatable',
    says: /registered differently/,
  },
}

const mayNot = 'make no request that their rules do not allow'
const ruledLoop = (rules: readonly object[], says: RegExp): BrokenPlugin => ({
  plugin: gadgetPlugin({ loop: { rules: rules as never } }),
  finds: mayNot,
  says,
})
const lists = { apiGroups: ['acme.test'], resources: ['gadgets'], verbs: ['list'] }
const brokenLoops: Readonly<Record<string, BrokenPlugin>> = {
  'a loop that may only read, and writes': ruledLoop([lists], /gadget-loop: patch gadgets\/status of acme.test/),
  'a loop with a rule for the object, but not for its status': ruledLoop(
    [{ ...lists, verbs: ['list', 'patch'] }],
    /gadget-loop: patch gadgets\/status of acme.test/,
  ),
  'a loop with a rule for another group': ruledLoop(
    [lists, { apiGroups: ['acme.example'], resources: ['gadgets/status'], verbs: ['*'] }],
    /patch gadgets\/status of acme.test/,
  ),
  'a loop with a rule for another object': ruledLoop(
    [lists, { apiGroups: ['acme.test'], resources: ['gadgets/status'], verbs: ['patch'], resourceNames: ['other'] }],
    /patch gadgets\/status of acme.test/,
  ),
  'a loop that creates another object at every start': {
    plugin: gadgetPlugin({
      loop: {
        needs: { client: services.client },
        rules: [{ apiGroups: ['acme.test'], resources: ['gadgets'], verbs: ['create'] }],
        async start({ client }: { client: Client }) {
          const all = client.resource<Gadget, SentGadget>(gadgetRef).in('conformance')
          // At the first start the namespace does not exist yet.
          await all.create({ metadata: { generateName: 'more-' } }).catch(() => undefined)
          return async () => {}
        },
      },
    }),
    finds: 'continue after a restart',
    says: /of the loops still changes objects/,
  },
}

/** Defects in the behaviour of a plugin, found by requests, starts and restarts. */
export const brokenBehaviour: Readonly<Record<string, BrokenPlugin>> = {
  ...brokenControls,
  ...brokenTypes,
  ...brokenAccess,
  ...brokenLives,
  ...brokenLoops,
}
