import type { ApiObject, Stored } from 'orch/sdk'
import { unlessLost } from 'orch/sdk/client'
import { defineControlLoop, splitKey } from 'orch/sdk/controllers'
import type { Namespace } from 'orch/sdk/core'
import type { AuthenticationNames } from '../names.js'
import type { ServiceAccount } from '../service-accounts/schema.js'

const name = 'serviceaccount'
const defaultAccount = 'default'

/** Creates the account in every namespace that Pods run as when they name none. */
export const defaultAccountLoop = ({ namespaces, accounts, recordEvents }: AuthenticationNames) =>
  defineControlLoop({
    name,
    account: 'service-account-controller',
    rules: [{ verbs: ['create'], apiGroups: [''], resources: ['serviceaccounts'] }, recordEvents],
    workers: 2,
    sources: [
      { resource: namespaces },
      {
        resource: accounts,
        fieldSelector: `metadata.name=${defaultAccount}`,
        keys: ({ metadata }: ApiObject, _previous, type) =>
          type === 'deleted' && metadata.namespace ? [metadata.namespace] : [],
      },
    ],
    async reconcile(key, caches, given) {
      const { name: namespace } = splitKey(key)
      const found = caches.of<Stored<Namespace>>(namespaces).get('', namespace)
      if (found?.status?.phase !== 'Active' || caches.of(accounts).get(namespace, defaultAccount)) return
      const client = given.client.resource<ServiceAccount>(accounts).in(namespace)
      await unlessLost(client.create({ metadata: { name: defaultAccount } }))
    },
  })
