/**
 * Finds what each resource refers to and sorts resources so that each comes after its references.
 * The resolver interprets the references.
 */
import { LocalRunError } from '../errors.ts';
import type { TemplateResource } from './cloud-assembly.ts';

/**
 * @returns the logical ids, each after everything it refers to or depends on
 * @throws LocalRunError for a cycle, naming its members
 */
export function provisioningOrder(resources: Record<string, TemplateResource>): string[] {
  const order: string[] = [];
  const visiting: string[] = [];
  const visit = (logicalId: string): void => {
    const resource = resources[logicalId];
    if (!resource || order.includes(logicalId)) return;
    if (visiting.includes(logicalId)) {
      const circle = [...visiting.slice(visiting.indexOf(logicalId)), logicalId];
      throw new LocalRunError(`The template's resources form a circle: ${circle.join(' → ')}.`);
    }
    visiting.push(logicalId);
    for (const dependency of dependenciesOf(resource)) visit(dependency);
    visiting.pop();
    order.push(logicalId);
  };
  for (const logicalId of Object.keys(resources)) visit(logicalId);
  return order;
}

function dependenciesOf(resource: TemplateResource): string[] {
  return [...referencesIn(resource.Properties), ...[resource.DependsOn ?? []].flat()];
}

function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, argument]) => {
    if (key === 'Ref') return [String(argument)];
    if (key === 'Fn::GetAtt') return [String([argument].flat()[0]).split('.')[0] ?? ''];
    if (key === 'Fn::Sub') return [...namesInText(argument), ...referencesIn(argument)];
    return referencesIn(argument);
  });
}

function namesInText(argument: unknown): string[] {
  const text = String([argument].flat()[0]);
  return [...text.matchAll(/\$\{([^!}][^}]*)\}/g)].map(([, name = '']) => name.split('.')[0] ?? '');
}
