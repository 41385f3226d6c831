import { type ApiObject, services } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import { defineControlLoop, withCondition } from 'orch/sdk/controllers'
import { isValidBundle } from '../definitions/ca-bundle.js'
import type { CustomResourceDefinition } from '../definitions/schema.js'
import { approvalState, isProtectedGroup } from '../definitions/validate-names.js'
import type { Features } from '../features.js'
import type { CustomResourceNames } from '../names.js'
import { acceptNames, claimKeysOf, NameClaims, type NameKind } from './accept-names.js'
import { conditionOf, isTrue } from './conditions.js'
import { servedByOthers } from './served-names.js'
import { writeStatus } from './write-status.js'

/**
 * How soon a definition is reconciled again whose name is served otherwise: extension servers do not announce when they
 * stop serving it.
 */
const refusedPollMs = 10_000

/** A definition is named `<plural>.<group>`. */
const groupOf = (name: string) => name.slice(name.indexOf('.') + 1)

interface Work {
  readonly names: CustomResourceNames
  readonly features: Features
  readonly client: Client
  readonly now: number
  readonly claims: NameClaims
  /** Names of the definitions that have claimed a name, by claim key. */
  readonly ownersOf: (key: string) => readonly string[]
  readonly servedByOthers: (definition: CustomResourceDefinition) => (nameKind: NameKind, name: string) => boolean
}

/** Accepts names and establishes types. */
export const definitionController = (names: CustomResourceNames, features: Features) =>
  defineControlLoop({
    name: 'customresourcedefinition',
    account: 'customresourcedefinition-controller',
    rules: [
      { verbs: ['get', 'list', 'watch'], apiGroups: [names.group], resources: ['customresourcedefinitions'] },
      {
        verbs: ['update', 'patch'],
        apiGroups: [names.group],
        resources: ['customresourcedefinitions', 'customresourcedefinitions/status'],
      },
    ],
    needs: { resources: services.resources },
    setUp: ({ resources, ...runtime }) => {
      const { client, clock } = runtime
      const claims = new NameClaims()
      return {
        workers: 4,
        sources: [{ resource: names.definitions }],
        async reconcile(name, caches) {
          const cache = caches.of<CustomResourceDefinition & ApiObject>(names.definitions)
          cache.addIndex('names', claimKeysOf)
          cache.addIndex('waitingInGroup', ({ spec, status }) =>
            conditionOf(status.conditions, 'NamesAccepted')?.status === 'False' ? [spec.group] : [],
          )
          claims.release(name)
          const ownersOf = (key: string) => [
            ...cache.indexed('names', key).map(({ metadata }) => metadata.name ?? ''),
            ...(claims.ownerOf(key) === undefined ? [] : [claims.ownerOf(key)!]),
          ]
          const work: Work = {
            names,
            features,
            client,
            now: clock.now(),
            claims,
            ownersOf,
            servedByOthers: definition => servedByOthers(definition, resources, other => cache.get('', other)),
          }
          const definition = cache.get('', name)
          const isAccepted = definition === undefined || (await reconcileNames(definition, work))
          // Another definition of the group may be waiting for a name that was released.
          for (const other of cache.indexed('waitingInGroup', groupOf(name)))
            if (other.metadata.name !== name) await reconcileNames(other, work)
          return isAccepted ? undefined : { requeueAfterMs: refusedPollMs }
        },
      }
    },
  })

/**
 * Accepts or rejects names and establishes the type once they are accepted. Returns whether they are, or need not be.
 */
async function reconcileNames(definition: CustomResourceDefinition, work: Work): Promise<boolean> {
  if (definition.metadata.deletionTimestamp) return true
  const isServed = work.servedByOthers(definition)
  const { acceptedNames, condition } = acceptNames(definition, work.ownersOf, isServed)
  let conditions = withCondition(definition.status.conditions, condition, work.now)
  const isAccepted = condition.status === 'True'
  const { plural, kind } = definition.spec.names
  // A type of a plugin takes precedence over that of a definition, even an established one.
  const isShadowed = isServed('resource', plural) || isServed('kind', kind)
  const isEstablished = isTrue(conditions, 'Established') && !isShadowed
  // With an invalid CA bundle, no object could be converted.
  const caBundle = definition.spec.conversion?.webhook?.clientConfig?.caBundle ?? ''
  const isUsable = !work.features.checkedBundles || isValidBundle(caBundle)
  if (!isEstablished) {
    conditions = withCondition(
      conditions,
      isAccepted
        ? isUsable
          ? {
              type: 'Established',
              status: 'False',
              reason: 'Installing',
              message: 'the initial names have been accepted',
            }
          : {
              type: 'Established',
              status: 'False',
              reason: 'InvalidCABundle',
              message: 'The conversion webhook CABundle is invalid',
            }
        : { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' },
      work.now,
    )
  }
  const approval = approvalCondition(definition, work.names)
  if (approval) conditions = withCondition(conditions, approval, work.now)
  const status = { ...definition.status, acceptedNames, conditions }
  work.claims.claim({ ...definition, status })
  const updated = await writeStatus(definition, status, work)
  if (updated === definition) work.claims.release(definition.metadata.name ?? '')
  if (isEstablished || !isAccepted || !isUsable || !updated) return isAccepted
  conditions = withCondition(
    conditions,
    {
      type: 'Established',
      status: 'True',
      reason: 'InitialNamesAccepted',
      message: 'the initial names have been accepted',
    },
    work.now,
  )
  await writeStatus(updated, { ...updated.status, conditions }, work)
  return true
}

function approvalCondition(definition: CustomResourceDefinition, names: CustomResourceNames) {
  if (!isProtectedGroup(definition.spec.group, names)) return undefined
  const { state, value } = approvalState(definition, names)
  const type = names.approvalCondition
  if (state === 'approved')
    return { type, status: 'True', reason: 'ApprovedAnnotation', message: `approved in ${value}` }
  const reasons = {
    bypassed: 'UnapprovedAnnotation',
    missing: 'MissingAnnotation',
    invalid: 'InvalidAnnotation',
  } as const
  return { type, status: 'False', reason: reasons[state], message: `not approved: ${JSON.stringify(value)}` }
}
