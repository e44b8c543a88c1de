"""Classifiers of cells and of objects: trees and logistic regression, fitted and asked natively."""
