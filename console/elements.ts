// What each element of a screen is built by: the build puts calls of these in place of JSX, because they are shorter
// than those of the automatic runtime.
export { Fragment as makeFragment, h as makeElement } from 'preact';
