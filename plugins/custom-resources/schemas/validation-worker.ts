import { readlinkSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import type { FieldError } from 'orch/sdk'
import { readSchema } from '../../../libs/json-schema/index.js'
import { loadRuleChecks, validateSpec } from '../definitions/validate-definition.js'
import { StructuralSchema } from './structural-schema.js'
import { finish } from './turns.js'
import type { ValidationReady, ValidationResult, ValidationTask } from './validation-task.js'
import { Work, WorkExceeded } from './work.js'

/** Compiled schemas by their text: a large object is often followed by others of its type. */
const compiled = new Map<string, StructuralSchema>()
const maxCompiled = 8
/** Longer values are truncated in error messages anyway. */
const maxShown = 10_001

/** Entry point of the validation thread. */
parentPort?.on('message', (task: ValidationTask) => void perform(task).then(result => parentPort?.postMessage(result)))
parentPort?.postMessage({ isReady: true, threadId: ownThreadId() } satisfies ValidationReady)

async function perform(task: ValidationTask): Promise<ValidationResult> {
  try {
    const errors = task.kind === 'object' ? validateObject(task) : await validateDefinition(task)
    return { errors: errors.map(shortened) }
  } catch (thrown) {
    if (thrown instanceof WorkExceeded) return { exceededAt: thrown.field }
    return { failure: thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : 'unknown' }
  }
}

function validateObject(task: ValidationTask & { readonly kind: 'object' }): FieldError[] {
  const { ratchets, ofStatus, maxWork } = task
  const structure = structureOf(task)
  const object: unknown = JSON.parse(task.object)
  const before: unknown = task.before === undefined ? undefined : JSON.parse(task.before)
  const correlation = ratchets && before !== undefined ? structure.correlate(object, before) : undefined
  return structure.validate(object, { before, correlation, ofStatus, work: new Work(maxWork) })
}

async function validateDefinition(task: ValidationTask & { readonly kind: 'definition' }): Promise<FieldError[]> {
  const spec = JSON.parse(task.spec)
  const { context, maxWork } = task
  const checkRules = await loadRuleChecks(spec, context.names)
  return finish(validateSpec(spec, { ...context, checkRules, work: new Work(maxWork), maxWork }))
}

function structureOf({ schema, keywords, options }: ValidationTask & { readonly kind: 'object' }): StructuralSchema {
  let found = compiled.get(schema)
  if (!found) {
    if (compiled.size >= maxCompiled) compiled.delete(compiled.keys().next().value!)
    compiled.set(schema, (found = new StructuralSchema(readSchema(JSON.parse(schema), keywords), keywords, options)))
  }
  return found
}

/** The value of an error may be as large as the object. */
function shortened(error: FieldError): FieldError {
  const { value } = error
  if (typeof value === 'string' && value.length > maxShown) return { ...error, value: value.slice(0, maxShown) }
  if (typeof value !== 'object' || value === null) return error
  const text = JSON.stringify(value)
  return text.length > maxShown ? { ...error, value: text.slice(0, maxShown) } : error
}

function ownThreadId(): string | undefined {
  try {
    return readlinkSync('/proc/thread-self').split('/').at(-1)
  } catch {
    return undefined
  }
}
