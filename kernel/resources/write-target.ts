import {
  type AdmissionRequest,
  type ApiObject,
  type ErrorSubject,
  type FieldError,
  invalid,
  type Operation,
  type Strategy,
  type StrategyContext,
} from 'orch/sdk'
import type { RequestContext } from '../request/request-context.js'
import type { OptionsKind } from './request-options.js'
import type { ResourceServices } from './resource-services.js'
import type { CompiledVersion, ResourceType } from './resource-type.js'

/** One write on its way: what it writes to, through which version and which path. */
export class WriteTarget {
  readonly services: ResourceServices
  readonly context: RequestContext
  readonly type: ResourceType
  readonly version: CompiledVersion
  readonly subresource: string
  readonly strategy: Strategy
  readonly dryRun: boolean
  readonly now: number
  /** The options object as admission sees it. */
  readonly options: Record<string, unknown>

  constructor(
    services: ResourceServices,
    context: RequestContext,
    type: ResourceType,
    version: CompiledVersion,
    subresource: string,
    optionsKind: OptionsKind,
    options: { dryRun: boolean } & Record<string, unknown>,
  ) {
    this.services = services
    this.context = context
    this.type = type
    this.version = version
    this.subresource = subresource
    this.dryRun = options.dryRun
    this.now = services.clock.now()
    const sub = subresource === '' ? undefined : type.definition.subresources?.[subresource]
    this.strategy = ((sub?.kind === 'update' ? sub.strategy : type.definition.strategy) ?? {}) as Strategy
    this.options = admissionOptions(services, optionsKind, options)
  }

  subject(name: string): ErrorSubject {
    return { group: this.type.group, resource: this.type.resource, name }
  }

  /** The group by which failures that name the kind, not the resource, name it. */
  get failureGroup(): string {
    return this.type.definition.formerGroup ?? this.type.group
  }
  invalid(name: string, errors: readonly FieldError[]) {
    return invalid({ group: this.failureGroup, kind: this.type.kind }, name, errors)
  }

  strategyContext(): StrategyContext {
    return {
      user: this.context.user,
      now: this.now,
      namespace: this.context.info.namespace,
      subresource: this.subresource,
      dryRun: this.dryRun,
      vendor: this.services.vendor,
      requestVersion: this.version.name,
    }
  }

  admissionRequest(
    operation: Operation,
    name: string,
    object: ApiObject | undefined,
    oldObject: ApiObject | undefined,
  ): AdmissionRequest {
    const { type, context } = this
    return {
      operation,
      user: context.user,
      group: type.group,
      version: type.storage.name,
      kind: type.kind,
      resource: type.resource,
      subresource: this.subresource,
      namespace: type.namespaced ? context.info.namespace : '',
      name,
      object: object as ApiObject,
      oldObject: oldObject as ApiObject,
      options: this.options,
      dryRun: this.dryRun,
      requestVersion: this.version.name,
      reinvoked: false,
      warn: context.warn,
      annotate: (key, value) => context.annotate(key, value),
    }
  }
}

function admissionOptions(
  services: ResourceServices,
  kind: OptionsKind,
  { dryRun, ...others }: { dryRun: boolean } & Record<string, unknown>,
): Record<string, unknown> {
  const options: Record<string, unknown> = { kind, apiVersion: `${services.vendor.metaGroup}/v1` }
  if (dryRun) options['dryRun'] = ['All']
  for (const [name, value] of Object.entries(others)) {
    if (value !== undefined && value !== '' && value !== false) options[name] = value
  }
  return options
}
