import fc from 'fast-check'
import type { AccessAttributes } from 'orch/sdk/identity'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { aBinding, access, aRole, aUser, rule } from '../testing/acme.js'
import type { Binding } from './grants.js'
import { RoleIndex, type RoleObject } from './role-index.js'
import { identityOf } from './subjects.js'

const group = 'rbac.acme.test'
const changes = suite('changes of the role index')

/** The obvious way to decide: look at every binding. */
class PlainIndex {
  readonly roles = new Map<string, RoleObject>()
  readonly bindings = new Map<string, Binding>()

  allows(request: AccessAttributes): boolean {
    const { user, verb, resource, namespace } = request as Extract<AccessAttributes, { resource: string }>
    return [...this.bindings.values()].some(({ metadata, roleRef, subjects }) => {
      if (metadata.namespace && metadata.namespace !== namespace) return false
      const isMeant = (subjects ?? []).some(subject => {
        const who = identityOf(subject, metadata.namespace ?? '')
        return who && ('user' in who ? who.user === user.name : user.groups.includes(who.group))
      })
      const role = this.roles.get(roleRef.name)
      return isMeant && (role?.rules ?? []).some(one => one.verbs.includes(verb) && one.resources?.includes(resource))
    })
  }
}

type Change = (index: RoleIndex, plain: PlainIndex) => void
const roleName = fc.constantFrom('a', 'b', 'c')
const bindingName = fc.constantFrom('x', 'y', 'z')
const namespace = fc.constantFrom(undefined, 'farm', 'barn')
const subject = fc
  .tuple(fc.constantFrom('User', 'Group'), fc.constantFrom('ann', 'dev', 'ops'))
  .map(([kind, name]) => ({ kind, name }))
const rules = fc
  .uniqueArray(fc.constantFrom('get pods', 'list pods', 'get secrets'))
  .map(texts => texts.map(text => rule(text.split(' ')[0] ?? '', text.split(' ')[1] ?? '')))

const anyChange: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(roleName, rules).map(([name, granted]): Change => {
    const role = aRole(name, granted)
    return (index, plain) => {
      index.setRole(role)
      plain.roles.set(name, role)
    }
  }),
  roleName.map(
    (name): Change =>
      (index, plain) => {
        index.removeRole(aRole(name, []))
        plain.roles.delete(name)
      },
  ),
  fc
    .tuple(bindingName, roleName, fc.array(subject, { maxLength: 3 }), namespace)
    .map(([name, roleRef, subjects, where]): Change => {
      const binding = aBinding(name, roleRef, subjects, where, 'ClusterRole')
      return (index, plain) => {
        index.setBinding(binding)
        plain.bindings.set(`${where}/${name}`, binding)
      }
    }),
  fc.tuple(bindingName, namespace).map(([name, where]): Change => {
    const binding = aBinding(name, 'a', [], where, 'ClusterRole')
    return (index, plain) => {
      index.removeBinding(binding)
      plain.bindings.delete(`${where}/${name}`)
    }
  }),
)
const everyRequest = [aUser('ann', 'dev'), aUser('eve', 'ops', 'dev'), aUser('dev')].flatMap(user =>
  ['get pods', 'list pods', 'get secrets'].flatMap(text =>
    ['', 'farm', 'barn'].map(where => {
      const [verb = '', resource = ''] = text.split(' ')
      return access(user, verb, resource, { namespace: where })
    }),
  ),
)

changes('after every change each request is decided as looking at every binding would', () => {
  fc.assert(
    fc.property(fc.array(anyChange, { minLength: 1, maxLength: 25 }), made => {
      const index = new RoleIndex(group)
      const plain = new PlainIndex()
      for (const change of made) {
        change(index, plain)
        for (const request of everyRequest)
          assert.is(index.decide(request).decision === 'allow', plain.allows(request), JSON.stringify(request))
      }
    }),
    { numRuns: 300 },
  )
})

changes.run()
